// On the pages of source files: the theme that the reader has chosen for the book. Without a choice, the system's.
let chosen = null;
try {
  chosen = localStorage.getItem('mdbook-theme');
} catch {
  // storage may be forbidden
}
const dark = chosen ? ['coal', 'navy', 'ayu'].includes(chosen) : matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.classList.add(dark ? 'dark' : 'light');
