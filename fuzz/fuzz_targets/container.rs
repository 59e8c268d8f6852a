//! Containers: header, chunks, signatures, reflection, classes, statistics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shaderport_dxbc::reflection::TypeTable;
use shaderport_dxbc::{Container, scan};

fuzz_target!(|bytes: &[u8]| {
    let _ = scan::find_all(bytes).count();
    let Ok(c) = Container::parse(bytes) else { return };
    let _ = (c.check_checksum(), c.kind(), c.program_chunk());
    let _ = (c.input_signature(), c.output_signature(), c.patch_constant_signature());
    let _ = (c.statistics(), c.feature_flags());
    if let Ok(Some(l)) = c.linkage() {
        let _ = (l.classes().count(), l.instances().count(), l.table(0, 0));
    }
    let Ok(Some(r)) = c.reflection() else { return };
    let _ = (r.creator(), r.bindings().flatten().count());
    let mut types = TypeTable::new(&r);
    for variable in r.constant_buffers().flatten().flat_map(|b| b.variables()).flatten() {
        let _ = types.resolve(variable.type_offset);
    }
});
