/**
 * Messages of any size through a ring of tiles in a window: with credits, cursors that go on from
 * call to call, and steps that never block; in plain bytes or in packets, through one lane or
 * several. Both ends say what they are before anything is sent.
 */
@NullMarked
package dev.oriel.ports.channel;

import org.jspecify.annotations.NullMarked;
