// A matrix product that feeds an all-gather: each block puts its tile of the result to all ranks as soon as it has computed
// it ("compute into send"). Each rank computes M rows of C = A B; at the end each has the rows of all.
//
// The page it/docs/howto/own-kernels.md has the protocol as a program, which `oriel check` explores.
#include <cuda_fp16.h>
#include <mma.h>

#include "oriel_device.cuh"

namespace {
using namespace nvcuda;
constexpr int TILE = 128, DEPTH = 32, THREADS = 256;

// The tile of a block: blocks go along a row of tiles, then to the next row.
struct Place {
  int row, column, rows;
};

__device__ Place place(int columns) {
  int tiles = columns / TILE;
  return Place{int(blockIdx.x) / tiles, int(blockIdx.x) % tiles, int(gridDim.x) / tiles};
}

// Computes the tile of the block into shared memory, row by row.
__device__ void multiply(const half *a, const half *b, int columns, int inner, half (*tile)[TILE]) {
  __shared__ half left[TILE][DEPTH + 8], right[DEPTH][TILE + 8];
  int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum[2][4];
  for (auto &each : sum)
    for (auto &one : each) wmma::fill_fragment(one, __float2half(0.0f));
  Place at = place(columns);
  const half *rows = a + size_t(at.row) * TILE * inner;
  for (int k = 0; k < inner; k += DEPTH) {
    for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += THREADS) {
      int r = i / (DEPTH / 8), c = i % (DEPTH / 8) * 8;
      *reinterpret_cast<uint4 *>(&left[r][c]) = *reinterpret_cast<const uint4 *>(rows + size_t(r) * inner + k + c);
    }
    for (int i = threadIdx.x; i < DEPTH * TILE / 8; i += THREADS) {
      int r = i / (TILE / 8), c = i % (TILE / 8) * 8;
      *reinterpret_cast<uint4 *>(&right[r][c]) =
          *reinterpret_cast<const uint4 *>(b + size_t(k + r) * columns + at.column * TILE + c);
    }
    __syncthreads();
    for (int d = 0; d < DEPTH; d += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[4];
      for (int i = 0; i < 2; i++) wmma::load_matrix_sync(fa[i], &left[row + 16 * i][d], DEPTH + 8);
      for (int j = 0; j < 4; j++) wmma::load_matrix_sync(fb[j], &right[d][column + 16 * j], TILE + 8);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++) wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      wmma::store_matrix_sync(&tile[row + 16 * i][column + 16 * j], sum[i][j], TILE, wmma::mem_row_major);
  __syncthreads();
}

// Stores the tile into the rows of a rank, at any address.
__device__ void store(const half (*tile)[TILE], half *c, int columns, int rank) {
  Place here = place(columns);
  size_t first = (size_t(rank) * here.rows + here.row) * TILE;
  for (int i = threadIdx.x; i < TILE * TILE / 8; i += THREADS) {
    int r = i / (TILE / 8), at = i % (TILE / 8) * 8;
    *reinterpret_cast<uint4 *>(c + (first + r) * columns + here.column * TILE + at) =
        *reinterpret_cast<const uint4 *>(&tile[r][at]);
  }
}
}  // namespace

// The product alone, into memory of this GPU: what a library's all-gather would follow.
extern "C" __global__ void __launch_bounds__(THREADS) gemm(const half *a, const half *b, half *c, int columns, int inner,
                                                           int rank) {
  __shared__ half tile[TILE][TILE];
  multiply(a, b, columns, inner, tile);
  store(tile, c, columns, rank);
}

// Each tile goes to all ranks, and a signal after it.
extern "C" __global__ void __launch_bounds__(THREADS) gemm_put(oriel::Window window, const half *a, const half *b,
                                                               int columns, int inner) {
  __shared__ half tile[TILE][TILE];
  multiply(a, b, columns, inner, tile);
  for (int step = 0; step < window.world; step++) {
    int to = (window.rank + step) % window.world;
    store(tile, window.address<half>(to, 0), columns, window.rank);
    if (to != window.rank) window.signal_add(oriel::block(), to, 0, 1);
  }
}

// Ends once all tiles of all ranks are here. `done` counts the launches: a graph keeps no number.
extern "C" __global__ void gather(oriel::Window window, uint64_t tiles, uint64_t *done) {
  uint64_t launch = *done + 1;
  oriel::Result all = window.wait_signal(oriel::block(), 0, oriel::Compare::at_least,
                                         launch * tiles * (window.world - 1));
  if (all == oriel::ok && oriel::block().index() == 0) *done = launch;
}

// No rank goes on before all have read their results: the next product overwrites them.
extern "C" __global__ void consumed(oriel::Window window) { window.barrier(oriel::block(), 0); }
