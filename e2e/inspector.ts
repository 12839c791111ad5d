import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';

/** Memory of a Node process, in MB. */
export interface Memory {
  /** Heap after garbage collection: a leak shows here. */
  heapMb: number;
  /** Outside the heap: buffers, native modules. */
  externalMb: number;
  /** Resident memory. Includes free pages not returned yet, so it varies. */
  residentMb: number;
}

/**
 * Connects to the inspector of a Node process that was started with `--inspect-port` (in
 * NODE_OPTIONS) and collects garbage before reading its memory: otherwise most of it is garbage
 * that V8 keeps while there is room.
 * @throws when the inspector doesn't open within ten seconds
 */
export async function openInspector(
  pid: number,
  port: number,
): Promise<{ memory(): Promise<Memory>; close(): void }> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await addressAt(port), { maxPayload: 100_000_000 });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  let asked = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      const hear = (bytes: WebSocket.RawData): void => {
        const said = JSON.parse(String(bytes)) as { id?: number; result?: unknown };
        if (said.id !== id) return;
        socket.off('message', hear);
        resolve(said.result);
      };
      socket.on('message', hear);
      socket.once('close', () => reject(new Error(`process ${pid} ended`)));
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    memory: async () => {
      // Twice: what finalizers release in the first round is collected in the second.
      for (let round = 0; round < 2; round++) {
        await ask('HeapProfiler.collectGarbage');
        await pause(200);
      }
      const { result } = (await ask('Runtime.evaluate', {
        expression: 'JSON.stringify(process.memoryUsage())',
      })) as { result: { value: string } };
      const { heapUsed, external, rss } = JSON.parse(result.value) as NodeJS.MemoryUsage;
      const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
      return { heapMb: mb(heapUsed), externalMb: mb(external), residentMb: mb(rss) };
    },
    close: () => {
      socket.terminate();
    },
  };
}

async function addressAt(port: number): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const list = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      (answer) => answer.json() as Promise<{ webSocketDebuggerUrl: string }[]>,
      () => null,
    );
    if (list?.[0]) return list[0].webSocketDebuggerUrl;
    await pause(100);
  }
  throw new Error(`No inspector opened at port ${port}`);
}
