package dev.oriel.domain.persistent;

/**
 * The identity of a request: its collective, the range of the window that it receives into and its
 * stream. The same range on another stream is another request, since calls of two streams may be in
 * flight at once.
 */
public record RequestKey(ExchangePattern exchange, long offset, long length, long stream) {
  @Override
  public String toString() {
    return "call=%s, offset=%d, length=%d, stream=%d"
        .formatted(exchange.spelling(), offset, length, stream);
  }
}
