//! The objects of a log: their ids, tenants and times of creation.

use alloc::vec::Vec;

use super::texts::Texts;

/// Stands for a tenant that nobody named.
pub(super) const NO_TENANT: u32 = u32::MAX;
/// Stands for a time that nobody named.
pub(super) const NO_TIME: i64 = i64::MIN;

/// What a log knows of objects, apart from their records. Numbers count in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub(super) ids: Texts,
    pub(super) tenants: Texts,
    /// For each object the number of its tenant, or [`NO_TENANT`].
    pub(super) tenant: Vec<u32>,
    /// For each object when it was created, in microseconds, or [`NO_TIME`].
    pub(super) created_at: Vec<i64>,
    /// The object that was asked for last: rows of one object mostly stand together.
    last: u32,
}

impl Objects {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The number of an object, which is added if it is new; none where there are as many as can be counted.
    #[inline]
    pub(super) fn add(&mut self, id: &str) -> Option<u32> {
        if (self.last as usize) < self.len() && self.ids.get(self.last) == id {
            return Some(self.last);
        }
        let number = self.ids.add(id)?;
        if number as usize == self.tenant.len() {
            self.tenant.push(NO_TENANT);
            self.created_at.push(NO_TIME);
        }
        self.last = number;
        Some(number)
    }

    /// What somebody says of an object; what was said first stays.
    pub(super) fn tell(&mut self, object: u32, tenant: Option<&str>, created_at: Option<i64>) {
        let object = object as usize;
        if let (Some(tenant), Some(&mut NO_TENANT)) = (tenant, self.tenant.get_mut(object)) {
            self.tenant[object] = self.tenants.add(tenant).unwrap_or(NO_TENANT);
        }
        if let (Some(at), Some(slot @ &mut NO_TIME)) = (created_at, self.created_at.get_mut(object))
        {
            *slot = at;
        }
    }

    pub(super) fn tenant_of(&self, object: u32) -> Option<&str> {
        match self.tenant[object as usize] {
            NO_TENANT => None,
            id => Some(self.tenants.get(id)),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.ids.bytes()
            + self.tenants.bytes()
            + self.tenant.capacity() * 4
            + self.created_at.capacity() * 8
    }
}
