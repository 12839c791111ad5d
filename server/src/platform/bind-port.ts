/** How many ports above a busy one are tried before any free port is used. */
const maxAttempts = 50;

/** Another program holds a port that must be exactly this one. */
export class PortInUseError extends Error {
  override name = 'BusyPort';
}

/**
 * Binds a port. It is bound at once rather than probed, because another program could take a free
 * port in between.
 * @param wanted 0: any free port
 * @param o.move when the port is busy, use the next free one above it; otherwise that is an error
 * @param o.avoid a port that another process of ours is about to bind; skipped unless `wanted` is 0
 * @param o.setting name of the setting that `wanted` comes from, for the error
 * @param bind binds a port and returns the one it got; called again after it failed
 * @returns the port that is bound now
 * @throws PortInUseError when it may not move; any other error of `bind`
 */
export async function bindPort(
  wanted: number,
  o: { mayMove: boolean; setting: string; avoid?: number | undefined },
  bind: (port: number) => Promise<number>,
): Promise<number> {
  for (let port = wanted; ; port += 1) {
    if (o.mayMove && port === o.avoid && port !== 0) continue;
    try {
      return await bind(port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (!o.mayMove)
        throw new PortInUseError(
          `Port ${port} is busy. Stop the program that uses it, or choose another: ${o.setting}=${port + 100} npm start`,
        );
      if (port >= Math.min(wanted + maxAttempts, 65_535)) return bind(0);
    }
  }
}
