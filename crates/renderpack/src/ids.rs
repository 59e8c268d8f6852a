//! Declarations by their ids.

use crate::descriptor::{Resource, Setting};
use std::collections::HashMap;

/// A declaration that has an id.
pub trait Declared {
    /// The id.
    fn id(&self) -> &str;
}

impl Declared for Resource {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Declared for Setting {
    fn id(&self) -> &str {
        &self.id
    }
}

/// Declarations of one kind by id, whatever its case; the first counts where an id is not unique.
///
/// Made once for a descriptor: a search for each mention of an id would take the square of a hostile descriptor's size.
#[derive(Clone, Debug)]
pub struct ById<'d, T>(HashMap<String, &'d T>);

impl<'d, T: Declared> ById<'d, T> {
    /// Of a list of declarations.
    pub fn new(list: &'d [T]) -> Self {
        let mut map = HashMap::with_capacity(list.len());
        for declaration in list {
            map.entry(declaration.id().to_ascii_lowercase()).or_insert(declaration);
        }
        ById(map)
    }

    /// The declaration of an id.
    pub fn get(&self, id: &str) -> Option<&'d T> {
        self.0.get(&id.to_ascii_lowercase()).copied()
    }
}
