// What axe finds in mdBook's own frame, which the book does not write. Each exception is for one rule and one place, with its
// reason; pages.mjs fails if one is no longer needed.

export const exceptions = [
  { rule: 'region', selector: '.menu-title', reason: "the book's title stands in mdBook's menu bar, outside of any landmark" },
  { rule: 'region', selector: '#mdbook-sidebar-toggle', reason: "so does mdBook's button for the sidebar" },
  {
    rule: 'aria-allowed-attr',
    selector: 'label#mdbook-sidebar-toggle',
    reason: 'mdBook makes that button a label of a hidden checkbox, so that it works without JavaScript, and tells whether the sidebar is open by aria-expanded',
  },
  { rule: 'aria-prohibited-attr', selector: 'label#mdbook-sidebar-toggle', reason: 'it has aria-label for the same reason' },
];
