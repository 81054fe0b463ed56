//! A folder with a module of the same name as another folder's.

pub mod road;
