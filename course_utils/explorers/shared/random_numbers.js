// @ts-check
// Park and Miller's generator, as in RandomNumbers of training.py: each state is the previous state
// times 48271, modulo 2 ** 31 - 1.
export function randomNumbers(seed) {
  const modulus = 2 ** 31 - 1;
  let state = seed % modulus;
  return () => (state = (48271 * state) % modulus) / modulus;
}
