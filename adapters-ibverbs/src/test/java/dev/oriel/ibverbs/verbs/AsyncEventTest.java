package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code enum ibv_event_type} by its numbers, and the member of the event's union that is set. */
class AsyncEventTest {

  @ParameterizedTest
  @CsvSource({
    "0, OTHER, completion queue failed",
    "1, QUEUE_PAIR, queue pair failed: pair=7",
    "2, QUEUE_PAIR, invalid request at queue pair: pair=7",
    "3, QUEUE_PAIR, queue pair refused an access of its peer: pair=7",
    "4, QUEUE_PAIR, connection established: pair=7",
    "5, QUEUE_PAIR, send queue drained: pair=7",
    "6, QUEUE_PAIR, path migrated: pair=7",
    "7, QUEUE_PAIR, path not migrated: pair=7",
    "8, OTHER, device failed",
    "9, PORT, port up: port=7",
    "10, PORT, port down: port=7",
    "11, PORT, port has another address: port=7",
    "12, PORT, port has other partition keys: port=7",
    "13, PORT, port has another subnet manager: port=7",
    "14, OTHER, shared receive queue failed",
    "15, OTHER, shared receive queue runs low",
    "16, QUEUE_PAIR, queue pair took its last receive: pair=7",
    "17, PORT, port has to be registered again: port=7",
    "18, PORT, port has other addresses: port=7",
    "19, OTHER, work queue failed",
    "20, OTHER, event 20",
    "-1, OTHER, event -1"
  })
  void everyEventNamesItsKindAndObject(int code, AsyncEvent.Subject subject, String text) {
    AsyncEvent event = new AsyncEvent(code, 7);
    assertThat(AsyncEvent.subject(code)).isEqualTo(subject);
    assertThat(event.text()).isEqualTo(text);
    assertThat(event.portBack()).isEqualTo(code == 9);
    assertThat(event.portLost()).isEqualTo(code == 10);
  }
}
