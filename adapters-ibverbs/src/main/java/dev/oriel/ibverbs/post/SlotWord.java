package dev.oriel.ibverbs.post;

/**
 * A signal slot: in the owner's memory, in the row that only its source writes.
 *
 * @param offset of the word in the owner's slots; see {@link NicSlotLayout}
 */
public record SlotWord(int owner, int source, String signal, long index, long offset) {}
