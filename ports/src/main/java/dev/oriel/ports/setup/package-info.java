/**
 * How ranks make something together: steps that may fail on one of them and end alike on all.
 *
 * <p>Machinery that adapters are built of, public because they are modules of their own. Who embeds
 * the library uses {@code dev.oriel.ports} and what an adapter gives; nothing in here is promised
 * to stay as it is.
 */
@NullMarked
package dev.oriel.ports.setup;

import org.jspecify.annotations.NullMarked;
