package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsRemote;

/** A peer's part of a window: its data, and the slots that interfaces write. */
record Far(VerbsRemote data, VerbsRemote slots) {}
