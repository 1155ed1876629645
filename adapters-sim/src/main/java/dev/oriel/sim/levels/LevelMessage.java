package dev.oriel.sim.levels;

import java.io.Serializable;

/**
 * What the expansion of one part of a level gives to a part of the next.
 *
 * @param nodes with fingerprints, each at most once
 * @param count what the expansion came to; only the message to the part itself has it
 */
public record LevelMessage(NodeBlock nodes, LevelCount count) implements Serializable {}
