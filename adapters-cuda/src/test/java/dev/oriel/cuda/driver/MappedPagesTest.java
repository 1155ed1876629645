package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MappedPagesTest {
  private static final long PAGE = 4096;

  /** A driver that refuses to map a page twice, as CUDA does. */
  private static final class Strict implements MappedPages.Driver {
    final Map<Long, Long> runs = new TreeMap<>();
    long shift = 1L << 40;
    long stuck = -1;

    @Override
    public long map(long start, long bytes, int flags, String remedy) {
      assertThat(bytes).isPositive();
      runs.forEach((at, length) ->
          assertThat(start + bytes <= at || at + length <= start)
              .as("0x%x+0x%x beside 0x%x+0x%x", start, bytes, at, length)
              .isTrue());
      runs.put(start, bytes);
      return start + shift;
    }

    @Override
    public void unmap(long start) {
      if (start == stuck) {
        throw new IllegalStateException("stuck");
      }
      assertThat(runs.remove(start)).isNotNull();
    }

    boolean maps(long page) {
      return runs.entrySet().stream()
          .anyMatch(run -> run.getKey() <= page && page < run.getKey() + run.getValue());
    }
  }

  private final Strict driver = new Strict();
  private final MappedPages pages = new MappedPages(driver);

  @Test
  void aPageIsMappedOnceForAllRequests() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 10; i++) {
        long address = random.nextLong(32 * PAGE);
        long bytes = 1 + random.nextLong(8 * PAGE);
        assertThat(pages.memory(address, bytes)).isEqualTo(address + driver.shift);
        for (long page = address / PAGE * PAGE; page < address + bytes; page += PAGE) {
          assertThat(driver.maps(page)).isTrue();
        }
      }
      pages.close();
      assertThat(driver.runs).isEmpty();
    }
  }

  /** GPUs use consecutive addresses from the returned one on. */
  @Test
  void pagesWithSeparateGpuAddressesAreNotOneRange() {
    long known = pages.memory(2 * PAGE, PAGE);
    driver.shift = 1L << 41;
    assertThatThrownBy(() -> pages.memory(PAGE, 4 * PAGE))
        .isInstanceOf(MachineException.class)
        .hasMessageStartingWith(
            "pages have no contiguous GPU address: address=0x1000, bytes=16384");
    assertThat(pages.memory(2 * PAGE, PAGE)).isEqualTo(known);
  }

  @Test
  void aPageThatStaysMappedBlocksNoOther() {
    pages.memory(0, PAGE);
    pages.memory(2 * PAGE, PAGE);
    pages.memory(4 * PAGE, PAGE);
    driver.stuck = 2 * PAGE;
    assertThatThrownBy(pages::close)
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("stuck");
    assertThat(driver.runs).containsOnlyKeys(2 * PAGE);
  }
}
