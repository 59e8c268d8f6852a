#version 460
// Casters draw depth alone.
void main() {}
