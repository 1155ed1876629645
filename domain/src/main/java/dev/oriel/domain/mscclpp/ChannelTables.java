package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.ChannelType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The channels and remote buffers of a gpu by their ids. Channels of one type are numbered through,
 * in the order of the file. The k-th of them to a peer is wired to that peer's k-th one back.
 */
record ChannelTables(
    Map<ChannelType, List<Channel>> channels, List<SwitchGroup> switches, List<Remote> remotes) {
  /** Channels of one type of a gpu. */
  private static final int MOST = 1 << 14;

  /** GPUs that a switch joins, and the buffer that it reaches at each. */
  record SwitchGroup(PlanBuffer buffer, List<Integer> ranks) {}

  /** A buffer of a peer. */
  record Remote(int rank, PlanBuffer buffer) {}

  static ChannelTables of(JsonField gpu, int id, int world) {
    Map<ChannelType, List<Channel>> channels = new EnumMap<>(ChannelType.class);
    for (ChannelType type : ChannelType.values()) {
      channels.put(type, new ArrayList<>());
    }
    List<SwitchGroup> switches = new ArrayList<>();
    for (JsonField field : gpu.elements("channels", MOST)) {
      ChannelType type = ExecutionPlanReader.channelType(field.member("channel_type"));
      if (type == ChannelType.SWITCH) {
        // Plans of the current format's first months call the member buff.
        JsonField buffer = field.optional("buff").orElseGet(() -> field.member("buffer_type"));
        for (JsonField group : field.member("rank_groups").elements(MOST)) {
          switches.add(new SwitchGroup(ExecutionPlanReader.buffer(buffer), ranks(group, world)));
        }
        continue;
      }
      List<Channel> same = channels.computeIfAbsent(type, t -> new ArrayList<>());
      for (JsonField peer : field.member("connected_to").elements(MOST)) {
        int to = peer.number(0, world - 1);
        if (to == id) {
          throw peer.error("channel to the own gpu", "name another gpu");
        }
        int pair = (int) same.stream().filter(channel -> channel.peer() == to).count();
        same.add(new Channel(type, to, same.size(), pair));
      }
    }
    List<Remote> remotes = new ArrayList<>();
    for (JsonField field : gpu.elements("remote_buffers", MOST)) {
      JsonField rank = field.member("rank");
      int of = rank.number(0, world - 1);
      if (of == id) {
        throw rank.error("remote buffer of the own gpu", "name another gpu");
      }
      remotes.add(new Remote(of, ExecutionPlanReader.buffer(field.member("type"))));
    }
    return new ChannelTables(channels, switches, remotes);
  }

  private static List<Integer> ranks(JsonField group, int world) {
    List<Integer> ranks = new ArrayList<>();
    JsonField field = group.member("ranks");
    for (JsonField rank : field.elements(world)) {
      int id = rank.number(0, world - 1);
      if (ranks.contains(id)) {
        throw rank.error("gpu twice in a group", "give each once");
      }
      ranks.add(id);
    }
    if (ranks.isEmpty()) {
      throw field.error("group without gpus", "give at least one");
    }
    return ranks;
  }

  List<Channel> of(ChannelType type) {
    return channels.getOrDefault(type, List.of());
  }
}
