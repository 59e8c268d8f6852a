//! Writes through pointers, however they get there. Needs spirv-as.

use shaderport_spirv::{Module, read};
use std::io::Write;
use std::process::{Command, Stdio};

/// Two buffers, `buf` and `ro`, and what pointers may be kept in.
const HEAD: &str = "
OpCapability Shader
OpCapability VariablePointers
OpCapability PhysicalStorageBufferAddresses
%glsl = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %buf %ro %private %started
OpExecutionMode %main LocalSize 1 1 1
OpName %buf \"buf\"
OpName %ro \"ro\"
OpName %private \"private\"
OpName %started \"started\"
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%two = OpConstant %uint 2
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%address = OpConstant %ulong 4096
%half = OpConstant %float 0.5
%yes = OpConstantTrue %bool
%floats = OpTypeRuntimeArray %float
%block = OpTypeStruct %floats
%to_block = OpTypePointer StorageBuffer %block
%to_float = OpTypePointer StorageBuffer %float
%physical = OpTypePointer PhysicalStorageBuffer %float
%local_float = OpTypePointer Function %float
%buf = OpVariable %to_block StorageBuffer
%ro = OpVariable %to_block StorageBuffer
%pair = OpTypeStruct %uint %to_float
%list = OpTypeArray %to_float %two
%local_pair = OpTypePointer Function %pair
%local_list = OpTypePointer Function %list
%local_pointer = OpTypePointer Function %to_float
%private_pointer = OpTypePointer Private %to_float
%private_block = OpTypePointer Private %to_block
%private = OpVariable %private_pointer Private
%started = OpVariable %private_block Private %buf
%take = OpTypeFunction %void %to_float
%give = OpTypeFunction %to_float %to_float
%fill = OpTypeFunction %void %local_pair %to_float
";

fn module(functions: &str) -> Module {
    let mut child = Command::new("spirv-as")
        .args(["--target-env", "spv1.5", "-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("spirv-as: {e}"));
    child.stdin.take().unwrap().write_all(format!("{HEAD}{functions}").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}\n{functions}", String::from_utf8_lossy(&output.stderr));
    let reading = read(&output.stdout);
    assert!(reading.complete, "{:?}", reading.diagnostics);
    reading.module.unwrap()
}

/// Main with pointers to both buffers at hand, and other functions behind it.
fn main_of(body: &str, others: &str) -> Module {
    module(&format!(
        "%main = OpFunction %void None %main_type
%entry = OpLabel
%v_pair = OpVariable %local_pair Function
%w_pair = OpVariable %local_pair Function
%v_list = OpVariable %local_list Function
%v_pointer = OpVariable %local_pointer Function
%other = OpVariable %local_pointer Function
%v_float = OpVariable %local_float Function
%to_buf = OpAccessChain %to_float %buf %zero %one
%to_ro = OpAccessChain %to_float %ro %zero %one
{body}
OpReturn
OpFunctionEnd
{others}"
    ))
}

/// The variables with names that are written, and how many writes are untraced.
fn written(m: &Module) -> (Vec<String>, usize) {
    let uses = m.uses(&m.entry_points[0]);
    (uses.written.keys().filter_map(|id| m.name(*id)).collect(), uses.untraced.len())
}

/// Each way by which a pointer to a buffer comes to a write: all write `buf`, and none writes `ro`, to which
/// pointers are made, kept and read through all the same.
#[test]
fn every_way_of_a_pointer_is_followed() {
    let write = "OpStore %x %half";
    let take = "%taker = OpFunction %void None %take
%p = OpFunctionParameter %to_float
%l = OpLabel
OpStore %p %half
OpReturn
OpFunctionEnd";
    let look = "%looker = OpFunction %void None %take
%q = OpFunctionParameter %to_float
%m = OpLabel
%seen = OpLoad %float %q
OpReturn
OpFunctionEnd";
    let give = "%giver = OpFunction %to_float None %give
%p = OpFunctionParameter %to_float
%l = OpLabel
OpReturnValue %p
OpFunctionEnd";
    let fill = "%filler = OpFunction %void None %fill
%where = OpFunctionParameter %local_pair
%p = OpFunctionParameter %to_float
%l = OpLabel
%slot = OpAccessChain %local_pointer %where %one
OpStore %slot %p
OpReturn
OpFunctionEnd";
    let cases: &[(&str, &str, &str)] = &[
        ("a store", "OpStore %to_buf %half", ""),
        ("a chain of a chain", "%x = OpPtrAccessChain %to_float %to_buf %one\nOpStore %x %half", ""),
        ("a copy of memory", "OpCopyMemory %to_buf %to_ro", ""),
        ("a function's parameter", "%c = OpFunctionCall %void %taker %to_buf", take),
        (
            "a function that only looks",
            "%c = OpFunctionCall %void %taker %to_buf\n%d = OpFunctionCall %void %looker %to_ro",
            &format!("{take}\n{look}"),
        ),
        ("a function's result", &format!("%x = OpFunctionCall %to_float %giver %to_buf\n{write}"), give),
        ("a selection", &format!("%x = OpSelect %to_float %yes %to_buf %to_buf\n{write}"), ""),
        (
            "a phi",
            &format!("OpBranch %next\n%next = OpLabel\n%x = OpPhi %to_float %to_buf %entry\n{write}"),
            "",
        ),
        ("a variable", &format!("OpStore %v_pointer %to_buf\n%x = OpLoad %to_float %v_pointer\n{write}"), ""),
        (
            "a private variable",
            &format!("OpStore %private %to_buf\n%x = OpLoad %to_float %private\n{write}"),
            "",
        ),
        (
            "an initialiser",
            &format!("%b = OpLoad %to_block %started\n%x = OpAccessChain %to_float %b %zero %zero\n{write}"),
            "",
        ),
        (
            "a member",
            &format!(
                "%s = OpAccessChain %local_pointer %v_pair %one
OpStore %s %to_buf
%t = OpAccessChain %local_pointer %v_pair %one
%x = OpLoad %to_float %t
{write}"
            ),
            "",
        ),
        (
            "an element",
            &format!(
                "%s = OpAccessChain %local_pointer %v_list %one
OpStore %s %to_buf
%t = OpInBoundsAccessChain %local_pointer %v_list %zero
%x = OpLoad %to_float %t
{write}"
            ),
            "",
        ),
        (
            "a structure",
            &format!(
                "%s = OpCompositeConstruct %pair %one %to_buf
%x = OpCompositeExtract %to_float %s 1
{write}"
            ),
            "",
        ),
        (
            "a structure through memory",
            &format!(
                "%s = OpCompositeConstruct %pair %one %to_buf
OpStore %v_pair %s
%t = OpLoad %pair %v_pair
%x = OpCompositeExtract %to_float %t 1
{write}"
            ),
            "",
        ),
        (
            "a structure that is changed",
            &format!(
                "%e = OpUndef %pair
%s = OpCompositeInsert %pair %to_buf %e 1
%x = OpCompositeExtract %to_float %s 1
{write}"
            ),
            "",
        ),
        (
            "memory copied to other memory",
            &format!(
                "%s = OpAccessChain %local_pointer %v_pair %one
OpStore %s %to_buf
OpCopyMemory %w_pair %v_pair
%t = OpAccessChain %local_pointer %w_pair %one
%x = OpLoad %to_float %t
{write}"
            ),
            "",
        ),
        (
            "memory that another function fills",
            &format!(
                "%c = OpFunctionCall %void %filler %v_pair %to_buf
%t = OpAccessChain %local_pointer %v_pair %one
%x = OpLoad %to_float %t
{write}"
            ),
            fill,
        ),
        ("an extended instruction", "%f = OpExtInst %float %glsl Modf %half %to_buf", ""),
        ("another extended instruction", "%f = OpExtInst %float %glsl Frexp %half %to_buf", ""),
        ("an atomic", "%f = OpAtomicIAdd %uint %to_buf %one %zero %one", ""),
    ];
    for (what, body, others) in cases {
        // A pointer to the other buffer is kept and read through, too.
        let aside = "OpStore %other %to_ro\n%o = OpLoad %to_float %other\n%of = OpLoad %float %o";
        let body = format!("{aside}\n{body}");
        let found = written(&main_of(&body, others));
        let untraced = usize::from(*what == "a structure that is changed");
        let names: Vec<&str> = found.0.iter().map(String::as_str).filter(|n| *n != "private").collect();
        assert_eq!((names, found.1), (vec!["buf"], untraced), "{what}");
    }
}

/// A pointer that is kept writes nothing, nor does one that is read through.
#[test]
fn keeping_and_reading_are_no_writes() {
    let m = main_of(
        "%s = OpAccessChain %local_pointer %v_pair %one
OpStore %s %to_ro
%x = OpLoad %to_float %s
%f = OpLoad %float %x
OpStore %v_float %f
%n = OpExtInst %float %glsl FAbs %f
%same = OpPtrEqual %bool %x %to_ro
%c = OpAtomicLoad %uint %to_ro %one %zero",
        "",
    );
    assert_eq!(written(&m), (vec![], 0));
    // Nor what is never called.
    let m = main_of(
        "",
        "%dead = OpFunction %void None %take\n%p = OpFunctionParameter %to_float\n%l = OpLabel\nOpStore %p %half\nOpReturn\nOpFunctionEnd",
    );
    assert_eq!(written(&m), (vec![], 0));
}

#[test]
fn pointers_from_nowhere_are_told() {
    for (what, body) in [
        ("an address", "%x = OpConvertUToPtr %physical %address\nOpStore %x %half"),
        ("a cast", "%x = OpBitcast %physical %address\nOpStore %x %half"),
        ("nothing", "%x = OpUndef %to_float\nOpStore %x %half"),
        ("memory where none is kept", "%x = OpLoad %to_float %v_pointer\nOpStore %x %half"),
        ("a buffer", "%a = OpLoad %physical %to_ro\nOpStore %a %half"),
    ] {
        assert_eq!(written(&main_of(body, "")), (vec![], 1), "{what}");
    }
}
