package dev.oriel.ibverbs.post;

/**
 * A signal slot: in the owner's memory, in the row of the source that alone writes it.
 *
 * @param offset where the word lies in the owner's slots; see {@link SlotTable}
 */
public record SlotWord(int owner, int source, String signal, long index, long offset) {}
