package dev.oriel.ibverbs.verbs;

/**
 * The state of a port at the time of the query.
 *
 * @param active whether it carries traffic
 * @param mtu the packet size as verbs number it: 1 for 256 bytes to 5 for 4096
 * @param messageBytes the longest message
 * @param lid its address in an InfiniBand subnet, 0 on Ethernet
 * @param gids the number of entries of its address table
 * @param ethernet whether messages are routed by GID alone
 */
public record PortState(
    int number, boolean active, int mtu, long messageBytes, int lid, int gids, boolean ethernet) {}
