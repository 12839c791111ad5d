import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How often a balancer asks each process whether it is ready, in ms. */
const checkMs = 250;
/** How long a connection waits for a process that is ready, in ms. */
const patienceMs = 5_000;

/** What stands in front of several web processes: it passes connections on to those that are ready. */
interface Balancer {
  url: string;
  /** Whether it sends to the process at this port. */
  isReady(port: number): boolean;
  close(): void;
}

/**
 * Balances connections over the ports, in turn. As balancers do, it asks each for `/readyz`, and
 * when one doesn't accept a connection, it tries another.
 */
export async function startBalancer(port: number, ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>();
  const sockets = new Set<Socket>();
  let turn = 0;
  let closed = false;
  const check = async (one: number): Promise<void> => {
    while (!closed) {
      const ok = await fetch(`http://127.0.0.1:${one}/readyz`, {
        signal: AbortSignal.timeout(2_000),
        headers: { connection: 'close' },
      }).then(
        (answer) => answer.ok,
        () => false,
      );
      if (ok) ready.add(one);
      else ready.delete(one);
      await pause(checkMs);
    }
  };
  for (const one of ports) void check(one);
  const accept = async (from: Socket): Promise<void> => {
    sockets.add(from);
    from.on('error', () => from.destroy());
    from.on('close', () => sockets.delete(from));
    const until = performance.now() + patienceMs;
    while (!from.destroyed && performance.now() < until) {
      const choice = [...ready];
      const at = choice[turn++ % Math.max(1, choice.length)];
      const to = at === undefined ? null : await reach(at);
      if (to) {
        to.on('error', () => from.destroy());
        from.on('close', () => to.destroy());
        to.on('close', () => from.end());
        from.pipe(to).pipe(from);
        return;
      }
      if (at !== undefined) ready.delete(at);
      await pause(50);
    }
    from.destroy();
  };
  const server = createServer({ pauseOnConnect: true }, (from) => void accept(from));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    isReady: (one) => ready.has(one),
    close: () => {
      closed = true;
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const reach = (port: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', () => resolve(null));
  });
