//! Counts visits to the page whose number is given, on hosts of which none learns which page it was:
//! `cargo run -p duoram-client --example counter -- client.toml 7`

use duoram_client::{Config, blocking::Memory};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (file, page) = arguments.next().zip(arguments.next()).ok_or("expected client.toml and a page")?;
    let memory = Memory::open(&Config::open(file.as_ref())?)?;
    let page = page.parse()?;
    let visits = memory.read(page)? + 1;
    memory.write(page, visits)?;
    println!("page {page}: {visits} visits");
    Ok(())
}
