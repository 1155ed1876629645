package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.MemoryLocation;
import dev.oriel.sim.litmus.test.MemoryProxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Collects the locations of a test during parsing; an undeclared name is memory that holds 0. */
final class LocationTable {
  private static final int MAX_LOCATIONS = 256;

  private record Entry(int index, boolean declared, long initial, @Nullable Alias alias) {}

  private record Alias(MemoryProxy proxy, String target, Lexeme place) {}

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<Integer> shared = new TreeSet<>();

  void declare(Lexeme name, long initial) {
    put(name, initial, null);
  }

  void alias(Lexeme name, MemoryProxy proxy, String target) {
    put(name, 0, new Alias(proxy, target, name));
  }

  private void put(Lexeme name, long initial, @Nullable Alias alias) {
    Entry entry = new Entry(entries.size(), true, initial, alias);
    if (entries.putIfAbsent(name.text(), entry) != null) {
      throw new LitmusException(
          "location declared twice", name.position(), name.shown(), "each name once");
    }
    bound(name);
  }

  private void bound(Lexeme name) {
    if (entries.size() > MAX_LOCATIONS) {
      throw new LitmusException(
          "too many locations", name.position(), name.shown(), "at most " + MAX_LOCATIONS);
    }
  }

  boolean declared(String name) {
    Entry entry = entries.get(name);
    return entry != null && entry.declared();
  }

  int index(Lexeme name) {
    Entry entry =
        entries.computeIfAbsent(name.text(), n -> new Entry(entries.size(), false, 0, null));
    bound(name);
    return entry.index();
  }

  /** Marks a location as one in the shared memory of a thread block. */
  void share(int location) {
    shared.add(location);
  }

  /** The locations so marked, in order. */
  Set<Integer> shared() {
    return shared;
  }

  /** All locations, with initial values in the representation of those types. */
  List<MemoryLocation> resolve(ValueTypes types) {
    for (Entry entry : List.copyOf(entries.values())) {
      if (entry.alias() != null) {
        String target = entry.alias().target();
        entries.putIfAbsent(target, new Entry(entries.size(), false, 0, null));
      }
    }
    List<MemoryLocation> locations = new ArrayList<>();
    entries.forEach((name, entry) -> {
      int address = address(name);
      int memory = memory(name);
      locations.add(new MemoryLocation(name, memory, address, types.held(initial(memory))));
    });
    return locations;
  }

  private Entry entry(String name) {
    Entry entry = entries.get(name);
    if (entry == null) {
      throw new IllegalStateException("location lost: name=" + name + "; report it");
    }
    return entry;
  }

  private long initial(int memory) {
    return entries.values().stream()
        .filter(entry -> entry.index() == memory)
        .mapToLong(Entry::initial)
        .sum();
  }

  /** Follows aliases of other proxies to the address that they alias. */
  private int address(String name) {
    Entry entry = entry(name);
    for (int steps = 0;
        entry.alias() != null && entry.alias().proxy() != MemoryProxy.GENERIC;
        steps++) {
      entry = step(entry.alias(), steps);
    }
    return entry.index();
  }

  private int memory(String name) {
    Entry entry = entry(name);
    for (int steps = 0; entry.alias() != null; steps++) {
      entry = step(entry.alias(), steps);
    }
    return entry.index();
  }

  private Entry step(Alias alias, int steps) {
    if (steps > entries.size()) {
      throw new LitmusException(
          "aliases run in a circle",
          alias.place().position(),
          alias.place().shown(),
          "a chain that ends at memory");
    }
    return entry(alias.target());
  }
}
