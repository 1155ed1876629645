package dev.oriel.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonWriterTest {

  @Test
  void commasSeparateValues() throws IOException {
    StringBuilder out = new StringBuilder();
    JsonWriter json = new JsonWriter(out);
    json.open('{').member("a", 1).name("b").open('[').value(2).value("c").open('{').close('}');
    json.close(']').member("d", -3).close('}');
    assertThat(out).hasToString("{\"a\":1,\"b\":[2,\"c\",{}],\"d\":-3}");
  }

  @Test
  void aStringIsPlainAsciiWithoutMarkup() throws IOException {
    String hostile = "</script>\"\\&\u2028\u0000\u007fé\ud83d\ude00";
    StringBuilder out = new StringBuilder();
    new JsonWriter(out).value(hostile);
    assertThat(out.toString()).matches("[ -~]+").doesNotContain("<", ">", "&");
    assertThat(JsonReader.read(out.toString())).isEqualTo(hostile);
  }

  @Test
  void microsecondsAreExact() throws IOException {
    StringBuilder out = new StringBuilder();
    new JsonWriter(out)
        .open('[')
        .micros(0)
        .micros(7)
        .micros(1_000_050)
        .micros(Long.MAX_VALUE)
        .close(']');
    assertThat(out).hasToString("[0.000,0.007,1000.050,9223372036854775.807]");
  }

  @Test
  void linesDoNotDisturbTheCommas() throws IOException {
    StringBuilder out = new StringBuilder();
    new JsonWriter(out).open('[').line().value(1).line().value(2).close(']');
    assertThat(out.toString()).isEqualTo("[\n1,\n2]");
  }

  @Test
  void theReaderIsStrict() {
    assertThat(JsonReader.read("{\"a\":[1,2.5]}")).isEqualTo(Map.of("a", List.of(1.0, 2.5)));
  }
}
