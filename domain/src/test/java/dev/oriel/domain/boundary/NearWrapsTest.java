package dev.oriel.domain.boundary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearWrapsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          barrier B                                                | false | false
          signal S[0]@0 set 1 release                              | false | false
          signal S[0]@0 set epoch release                          | true  | false
          signal S[epoch % 2]@0 set epoch release                  | true  | false
          signal S[epoch % 4]@0 set epoch & 255 release            | true  | false
          signal S[0]@0 set epoch & 0xffff release                 | true  | true
          signal S[0]@0 set epoch % 65536 release                  | true  | true
          signal S[epoch % 3]@0 set epoch release                  | true  | true
          let turn = epoch * 2: signal S[turn / 3]@0 set 1 release | true  | true
          signal S[0]@0 set nz32(epoch) release                    | true  | false
          signal S[r % 3]@0 set 1 release                          | false | false
          await S[0]@0 reached 1 << 20 acquire                     | false | false
          await S[0]@0 reached 1048576 acquire                     | false | false
          if epoch > 5: move big[0] <- big[65536] bytes 65536: end | true  | false
          if epoch > 65535: barrier B: end                         | true  | true
          signal S[epoch % SLOTS]@0 set epoch release              | true  | false
          signal S[epoch % ODD]@0 set epoch release                | true  | true
          signal S[0]@0 set epoch & MASK release                   | true  | true
          if epoch > 5: barrier B: else: barrier B: end            | true  | false
          for t < 3: signal S[epoch % n]@0 set t release: end      | true  | true
          """)
  void countersAndLimitsAreSeen(String body, boolean counts, boolean likely) {
    Form form =
        FormParser.parse(
            "form f\nlet SLOTS = 2 * 2\nlet ODD = SLOTS + 1\nlet MASK = 0xffff\nscratch big[131072]\nsignal S[9]\nbarrier B\nlane main: sm(32) {\n%s\n}\n"
                .formatted(
                    body.replace(": else: ", "\n} else {\n")
                        .replace(": end", "\n}")
                        .replace("> 5: ", "> 5 {\n")
                        .replace("> 65535: ", "> 65535 {\n")
                        .replace("< 3: ", "< 3 {\n")
                        .replace(": ", "\n")));
    assertThat(NearWraps.counts(form)).isEqualTo(counts);
    assertThat(NearWraps.likely(form)).isEqualTo(likely);
  }

  @ParameterizedTest
  @CsvSource({"3, true", "4, false"})
  void aStateIsACounter(int slots, boolean likely) {
    Form form =
        FormParser.parse(
            "form f\nsignal S[9]\nlane main: sm(32) {\nstate s\nsignal S[s %% %d]@0 set 1 release\nset s = s + 1\n}\n"
                .formatted(slots));
    assertThat(NearWraps.counts(form)).isTrue();
    assertThat(NearWraps.likely(form)).isEqualTo(likely);
  }
}
