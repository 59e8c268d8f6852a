//! Which pack is active: a machine that a host drives.
//!
//! The machine builds nothing. It says what to prepare, is told how that went, and at the next frame boundary says
//! what to publish. Any failure ends in retail, with the reason; nothing is half active.

use crate::descriptor::{Descriptor, QualitySemantic};
use crate::rules::{self, Device, Options};
use crate::settings::{UserOverride, check_user_overrides};
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::HashMap;
use std::sync::Arc;

/// What a user chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Id of the pack.
    pub pack: String,
    /// Its version, letter for letter.
    pub version: String,
    /// Id of the preset, in any case.
    pub preset: String,
    /// The user's own values.
    pub overrides: Vec<UserOverride>,
}

/// A pack that is installed.
#[derive(Clone, Debug)]
pub struct Registration {
    /// Its descriptor.
    pub descriptor: Arc<Descriptor>,
    number: u64,
}

/// The packs that are installed. Nothing of their shaders is opened here.
#[derive(Debug, Default)]
pub struct Catalogue {
    packs: HashMap<String, Registration>,
    next: u64,
}

impl Catalogue {
    /// Installs a pack and gives the number by which it is withdrawn; the first of an id wins.
    pub fn register(&mut self, descriptor: Arc<Descriptor>) -> Option<u64> {
        let key = descriptor.id.to_ascii_lowercase();
        if self.packs.contains_key(&key) {
            return None;
        }
        self.next += 1;
        self.packs.insert(key, Registration { descriptor, number: self.next });
        Some(self.next)
    }

    /// Takes a pack out again.
    pub fn withdraw(&mut self, registration: u64) {
        self.packs.retain(|_, r| r.number != registration);
    }

    /// The pack of an id.
    pub fn get(&self, id: &str) -> Option<&Registration> {
        self.packs.get(&id.to_ascii_lowercase())
    }
}

/// Where the machine stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// No pack.
    Retail,
    /// A pack is being prepared; what was active before still is.
    CandidatePending,
    /// A pack is active.
    Active,
    /// A pack failed, and none is active.
    FailedToRetail(String),
}

/// What a host does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    None,
    /// Prepare this, off the frame's path, for an output of that size, and say how it went by
    /// [`Activation::prepared`].
    Prepare {
        /// Names this preparation.
        generation: u64,
        /// What to prepare, with automatic quality resolved to a preset.
        selection: Selection,
        /// Width and height.
        extent: [u32; 2],
    },
    /// Publish what was prepared, then dispose of what was active.
    Publish {
        /// The preparation.
        generation: u64,
    },
    /// Dispose of what is prepared and of what is active.
    Retire,
}

/// How a preparation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The pack is at fault; it will not be tried again until a user asks for it.
    Pack(String),
    /// The device is lost or out of memory: the host passes the error on.
    Fatal(String),
}

#[derive(Clone, Debug)]
struct Candidate {
    selection: Selection,
    registration: u64,
    generation: u64,
    extent: [u32; 2],
    prepared: bool,
}

/// The machine.
#[derive(Debug)]
pub struct Activation {
    state: State,
    generation: u64,
    requested: Option<Option<Selection>>,
    candidate: Option<Candidate>,
    /// With the number of its registration.
    active: Option<(Selection, u64)>,
    /// Registrations that failed, with their reasons.
    failed: HashMap<u64, String>,
    retire: bool,
}

impl Default for Activation {
    fn default() -> Self {
        Activation {
            state: State::Retail,
            generation: 0,
            requested: None,
            candidate: None,
            active: None,
            failed: HashMap::new(),
            retire: false,
        }
    }
}

impl Activation {
    /// Where it stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Raised by each preparation, each publication and each return to retail.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The active selection.
    pub fn active(&self) -> Option<&Selection> {
        self.active.as_ref().map(|(selection, _)| selection)
    }

    /// Asks for a pack, or for none. `explicit` requests come from a user and try a failed pack again.
    pub fn request(&mut self, selection: Option<Selection>, explicit: bool, catalogue: &Catalogue) {
        if explicit && let Some(r) = selection.as_ref().and_then(|s| catalogue.get(&s.pack)) {
            self.failed.remove(&r.number);
        }
        self.requested = Some(selection);
    }

    /// At a frame's boundary: what to do for an output of that size.
    pub fn frame_boundary(&mut self, extent: [u32; 2], catalogue: &Catalogue, device: &Device) -> Action {
        if std::mem::take(&mut self.retire) {
            return self.end_in(self.state.clone());
        }
        if let Some(request) = self.requested.take() {
            self.candidate = None;
            let Some(selection) = request else { return self.end_in(State::Retail) };
            return match self.plan(selection, catalogue, device) {
                Ok((selection, registration)) => self.prepare(selection, registration, extent),
                Err(reason) => self.end_in(State::FailedToRetail(reason)),
            };
        }
        // The active pack, or the one on its way, may have been withdrawn; another of its id is not the same.
        let candidate = self.candidate.as_ref().map(|c| (&c.selection, c.registration));
        let active = self.active.as_ref().map(|(s, registration)| (s, *registration));
        if candidate
            .or(active)
            .is_some_and(|(s, number)| catalogue.get(&s.pack).map(|r| r.number) != Some(number))
        {
            return self.end_in(State::Retail);
        }
        let Some(c) = self.candidate.take() else { return Action::None };
        if c.extent != extent {
            return self.prepare(c.selection, c.registration, extent);
        }
        if !c.prepared {
            self.candidate = Some(c);
            return Action::None;
        }
        self.generation += 1;
        self.active = Some((c.selection, c.registration));
        self.state = State::Active;
        Action::Publish { generation: c.generation }
    }

    /// Told how a preparation went. One that is no longer wanted is passed over. A fatal failure is given back.
    pub fn prepared(&mut self, generation: u64, result: Result<(), Failure>) -> Result<(), String> {
        let Some(c) = self.candidate.as_mut().filter(|c| c.generation == generation) else { return Ok(()) };
        match result {
            Ok(()) => {
                c.prepared = true;
                Ok(())
            }
            Err(Failure::Pack(reason)) => {
                self.failed.insert(c.registration, reason.clone());
                self.candidate = None;
                self.retire = true;
                self.state = State::FailedToRetail(reason);
                Ok(())
            }
            Err(Failure::Fatal(reason)) => {
                // The host passes it on; what was active is for it to tear down.
                self.candidate = None;
                self.state = if self.active.is_some() { State::Active } else { State::Retail };
                Err(reason)
            }
        }
    }

    fn prepare(&mut self, selection: Selection, registration: u64, extent: [u32; 2]) -> Action {
        self.generation += 1;
        let generation = self.generation;
        self.state = State::CandidatePending;
        let candidate =
            Candidate { selection: selection.clone(), registration, generation, extent, prepared: false };
        self.candidate = Some(candidate);
        Action::Prepare { generation, selection, extent }
    }

    fn end_in(&mut self, state: State) -> Action {
        let had = self.active.take().is_some() | self.candidate.take().is_some();
        let failed = matches!(state, State::FailedToRetail(_));
        self.state = state;
        if had || failed {
            self.generation += 1;
            return Action::Retire;
        }
        Action::None
    }

    /// The checks before anything is built, in order; the first reason counts.
    fn plan(
        &self,
        mut s: Selection,
        catalogue: &Catalogue,
        device: &Device,
    ) -> Result<(Selection, u64), String> {
        let Some(r) = catalogue.get(&s.pack) else {
            return Err(format!("Render pack '{}' is not installed.", s.pack));
        };
        let d = &r.descriptor;
        if let Some(why) = self.failed.get(&r.number) {
            return Err(format!("Render pack '{}' failed and will not be retried: {why}", d.id));
        }
        let options = Options { device: Some(device.clone()), ..Options::default() };
        let findings = rules::check(d, &options);
        if let Some(f) = findings.iter().find(|f| f.code != codes::DEVICE_PRESET) {
            return Err(f.message.clone());
        }
        if d.pack_version != s.version {
            return Err(format!(
                "Render pack '{}' is installed as version {}, not {}.",
                d.id, d.pack_version, s.version
            ));
        }
        let index = d.quality_presets.iter().position(|p| p.id.eq_ignore_ascii_case(&s.preset));
        let Some(index) = index else {
            return Err(format!("Render pack '{}' has no quality preset '{}'.", d.id, s.preset));
        };
        let preset_reason = |i: usize| {
            let path = format!("$.qualityPresets[{i}].");
            findings.iter().find(|f| f.path.starts_with(&path)).map(|f| f.message.clone())
        };
        if let Some(reason) = preset_reason(index) {
            return Err(reason);
        }
        if let Some(reason) = check_user_overrides(d, &s.overrides).into_iter().next() {
            return Err(reason);
        }
        if d.quality_presets[index].semantic.is(QualitySemantic::Automatic) {
            // Automatic quality starts in the middle, or below where the device cannot.
            let levels = [QualitySemantic::Medium, QualitySemantic::Low];
            let start = levels.into_iter().find_map(|l| {
                let i = d.quality_presets.iter().position(|p| p.semantic.is(l) && p.auto_eligible)?;
                preset_reason(i).is_none().then_some(i)
            });
            let Some(start) = start else {
                return Err(format!(
                    "Render pack '{}' has no preset for automatic quality on this device.",
                    d.id
                ));
            };
            s.preset = d.quality_presets[start].id.clone();
        }
        Ok((s, r.number))
    }
}
