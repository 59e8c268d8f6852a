//! The activation machine.

use shaderport_renderpack::abi::SEMANTIC_V1;
use shaderport_renderpack::host::activation::{Action, Activation, Catalogue, Failure, Selection, State};
use shaderport_renderpack::host::budget::plan;
use shaderport_renderpack::settings::UserOverride;
use shaderport_renderpack::template::{Profile, new_pack};
use shaderport_renderpack::{Device, descriptor};
use std::sync::Arc;

const SIZE: [u32; 2] = [1920, 1080];

fn pack(profile: Profile) -> Arc<descriptor::Descriptor> {
    let files = new_pack(profile, "test.pack", &SEMANTIC_V1).unwrap();
    let text = String::from_utf8(files[0].bytes.clone()).unwrap();
    Arc::new(descriptor::read(&text).0.unwrap().descriptor)
}

fn selection(preset: &str) -> Selection {
    Selection {
        pack: "test.pack".into(),
        version: "0.1.0".into(),
        preset: preset.into(),
        overrides: Vec::new(),
    }
}

struct Host {
    machine: Activation,
    catalogue: Catalogue,
    registration: u64,
    device: Device,
}

impl Host {
    fn new() -> Self {
        let mut catalogue = Catalogue::default();
        let registration = catalogue.register(pack(Profile::Atmospheric)).unwrap();
        assert_eq!(catalogue.register(pack(Profile::NoOp)), None, "the first of an id wins");
        Host { machine: Activation::default(), catalogue, registration, device: Device::conformance() }
    }
    fn frame(&mut self) -> Action {
        self.machine.frame_boundary(SIZE, &self.catalogue, &self.device)
    }
    fn ask(&mut self, s: Selection, explicit: bool) -> Action {
        self.machine.request(Some(s), explicit, &self.catalogue);
        self.frame()
    }
    fn generation(action: &Action) -> u64 {
        match action {
            Action::Prepare { generation, .. } => *generation,
            other => panic!("{other:?}"),
        }
    }
    fn reason(&self) -> &str {
        match self.machine.state() {
            State::FailedToRetail(reason) => reason,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_pack_is_prepared_then_published_at_a_boundary() {
    let mut h = Host::new();
    assert_eq!(h.frame(), Action::None);
    let g = Host::generation(&h.ask(selection("MEDIUM"), false));
    assert_eq!((h.frame(), h.machine.state()), (Action::None, &State::CandidatePending));
    h.machine.prepared(g, Ok(())).unwrap();
    assert_eq!(h.machine.active(), None, "nothing is active before the boundary");
    assert_eq!(h.frame(), Action::Publish { generation: g });
    assert_eq!((h.frame(), h.machine.state()), (Action::None, &State::Active));
    // Withdrawn.
    h.catalogue.withdraw(h.registration);
    assert_eq!((h.frame(), h.machine.state()), (Action::Retire, &State::Retail));
}

#[test]
fn a_new_size_starts_again() {
    let mut h = Host::new();
    let g = Host::generation(&h.ask(selection("medium"), false));
    h.machine.prepared(g, Ok(())).unwrap();
    let again = h.machine.frame_boundary([800, 600], &h.catalogue, &h.device);
    assert_ne!(Host::generation(&again), g);
    // Late news of the first preparation is passed over.
    h.machine.prepared(g, Err(Failure::Pack("late".into()))).unwrap();
    assert_eq!(h.machine.state(), &State::CandidatePending);
}

#[test]
fn a_failure_ends_in_retail_until_a_user_asks() {
    let mut h = Host::new();
    let g = Host::generation(&h.ask(selection("medium"), false));
    h.machine.prepared(g, Ok(())).unwrap();
    h.frame();
    let g = Host::generation(&h.ask(selection("high"), false));
    h.machine.prepared(g, Err(Failure::Pack("bad shader".into()))).unwrap();
    assert_eq!(h.frame(), Action::Retire, "the active pack goes, too");
    assert_eq!(h.reason(), "bad shader");
    h.ask(selection("medium"), false);
    assert!(h.reason().contains("will not be retried"), "{}", h.reason());
    Host::generation(&h.ask(selection("medium"), true));
    let g = match h.machine.frame_boundary([1, 1], &h.catalogue, &h.device) {
        Action::Prepare { generation, .. } => generation,
        other => panic!("{other:?}"),
    };
    assert_eq!(h.machine.prepared(g, Err(Failure::Fatal("device lost".into()))), Err("device lost".into()));
    assert_eq!((h.machine.state(), h.machine.active()), (&State::Retail, None), "nothing is on its way");
    assert_eq!(h.frame(), Action::None);
}

/// A pack of the same id that is installed anew is another pack: neither active nor on its way, and not failed.
#[test]
fn registrations_are_told_apart() {
    let mut h = Host::new();
    let replace = |h: &mut Host| {
        h.catalogue.withdraw(h.registration);
        h.registration = h.catalogue.register(pack(Profile::Atmospheric)).unwrap();
    };
    let g = Host::generation(&h.ask(selection("low"), false));
    replace(&mut h);
    assert_eq!((h.frame(), h.machine.state()), (Action::Retire, &State::Retail));
    h.machine.prepared(g, Err(Failure::Pack("late".into()))).unwrap();
    assert_eq!(h.machine.state(), &State::Retail);
    let g = Host::generation(&h.ask(selection("low"), false));
    h.machine.prepared(g, Ok(())).unwrap();
    assert_eq!(h.frame(), Action::Publish { generation: g });
    replace(&mut h);
    assert_eq!((h.frame(), h.machine.state()), (Action::Retire, &State::Retail));
    // Its failure goes with it.
    let g = Host::generation(&h.ask(selection("low"), false));
    h.machine.prepared(g, Err(Failure::Pack("bad".into()))).unwrap();
    h.frame();
    h.ask(selection("low"), false);
    assert!(h.reason().contains("will not be retried"));
    replace(&mut h);
    Host::generation(&h.ask(selection("low"), false));
}

#[test]
fn reasons_before_anything_is_built() {
    let mut h = Host::new();
    let mut reason = |s: Selection| {
        h.ask(s, true);
        h.reason().to_owned()
    };
    assert!(reason(Selection { pack: "none".into(), ..selection("low") }).contains("not installed"));
    assert!(reason(Selection { version: "0.1".into(), ..selection("low") }).contains("version 0.1.0"));
    assert!(reason(selection("ultra")).contains("no quality preset 'ultra'"));
    let set =
        |setting: &str, value: &str| vec![UserOverride { setting: setting.into(), value: value.into() }];
    let unknown = reason(Selection { overrides: set("nothing", "1"), ..selection("low") });
    assert_eq!(unknown, "Render pack 'test.pack' has a user override for unknown setting 'nothing'.");
    let invalid = reason(Selection { overrides: set("EXPOSURE", "many"), ..selection("low") });
    assert_eq!(invalid, "Render pack 'test.pack' user override 'EXPOSURE' has invalid Float value 'many'.");
    h.device = Device { capabilities: Vec::new(), ..Device::conformance() };
    h.ask(selection("low"), true);
    assert!(h.reason().contains("requires unsupported capability"));
}

#[test]
fn automatic_quality_starts_in_the_middle() {
    let mut h = Host::new();
    match h.ask(selection("auto"), false) {
        Action::Prepare { selection, .. } => assert_eq!(selection.preset, "medium"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn plans_add_up() {
    let d = pack(Profile::Atmospheric);
    let p = plan(&d, &d.quality_presets[1], &Device { samples: 4, ..Device::conformance() });
    let area = 1920 * 1080;
    // World colour and depth, two halves of bloom, a quarter mask, quarter rays and shafts, three cascades.
    let expected = area * 12 + 2 * (960 * 540 * 8) + 480 * 270 * (4 + 8 + 8) + 1536 * 1536 * 3 * 4;
    assert_eq!((p.resident_bytes, p.transient_bytes), (expected, area * 12 * 4));
    assert!(p.exceeded.is_empty(), "{:?}", p.exceeded);
    let small = Device::conformance().with_video_memory(256 << 20);
    assert!(!plan(&d, &d.quality_presets[2], &small).exceeded.is_empty());
}
