import { connect, createServer } from 'node:net';

/** Whether a server could listen there now. */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** The wanted port or the next free one above it; null when fifty in a row are busy. */
export async function nextFreePort(
  wanted: number,
  host: string,
  taken: number[] = [],
): Promise<number | null> {
  for (let port = wanted; port < wanted + 50 && port <= 65_535; port += 1) {
    if (!taken.includes(port) && (await isPortFree(port, host))) return port;
  }
  return null;
}

/** Whether a server listens there now. */
export const isAnswered = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 500 });
    const end = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
