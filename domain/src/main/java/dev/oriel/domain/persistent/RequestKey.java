package dev.oriel.domain.persistent;

/**
 * What a request is found by: what it does, the range of the window that it receives into and the
 * stream that it runs on. The same range on another stream is another request, for calls of two
 * streams may be under way at once.
 */
public record RequestKey(Exchange exchange, long offset, long length, long stream) {
  @Override
  public String toString() {
    return "call=%s, offset=%d, length=%d, stream=%d"
        .formatted(exchange.spelling(), offset, length, stream);
  }
}
