//! The command line and its files.

codes! {
    INPUT_MISSING: Error = "input-missing", "an input does not exist",
        "No file or folder of this name was found, or a symbolic link points to nothing. Check the spelling and the folder that the command runs in; quote patterns that the shell should not expand. In a batch the other inputs are still done.";
    INPUT_UNREADABLE: Error = "input-unreadable", "an input cannot be read",
        "The file or folder exists, but the operating system would not let it be read: permissions, a file that is not a regular file, or a fault of the disk. The message is the operating system's. It is said, too, of a folder where one file is wanted, and of standard input where `-` stands for two inputs. In a batch the other inputs are still done.";
    INPUT_ENCODING: Error = "input-encoding", "a text is not in UTF-8",
        "JSON files (the inputs of a run, profiles, tables, descriptors of packs, devices) are text in UTF-8, with or without a byte order mark. This one is in UTF-16 or UTF-32, or in an encoding of one byte a character that has letters beyond ASCII. Save it as UTF-8: editors have this among the choices of `Save as`, and in PowerShell 5 `Out-File -Encoding utf8` writes it where `>` would write UTF-16.";
    NO_SHADER_FOUND: Error = "no-shader-found", "a file holds no DXBC container",
        "The file does not begin with DXBC, and no whole container was found anywhere inside it either. It may be HLSL source (compile it with fxc), Direct3D 9 byte code, SPIR-V, or an archive that compresses its contents (unpack it first). Such files are passed over when they lie in a folder, and reported when they are named.";
    OUTPUT_COLLISION: Error = "output-collision", "two inputs would write the same output",
        "Output names are made of an input's file name less its last extension, below the output folder, so `a/x.dxbc` and `b/x.cso` both ask for `x.json`. Nothing was written. Give the folder that holds both instead of the files, so that its tree is kept; rename one of them; or run the command twice with two output folders.";
    OUTPUT_UNWRITABLE: Error = "output-unwritable", "an output cannot be written",
        "A file or folder below the output folder could not be created, written or replaced: permissions, a full disk, or a file where a folder is needed. Outputs are written under a temporary name and renamed when they are whole, so an older file of that name is still as it was. The command ends with status 2.";
    INTERNAL_ERROR: Error = "internal-error", "a fault of Shaderport itself",
        "Shaderport stopped working on this input because something that must always hold did not. The input may be perfectly sound, and the other inputs of a batch are still done. Please report it, with the input if you may share it.";
    RUN_INPUTS: Error = "run-inputs", "the inputs of a run do not fit the shader",
        "The JSON file names an input, constant or resource that the shader does not have, names one twice, or gives a value that its place cannot hold. `shaderport inspect` shows the shader's names; `shaderport run --help` describes the file.";
}
