/** How many ports above a busy one are tried before any free one will do. */
const maxAttempts = 50;

/** A port that must be exactly this one is taken by another program. */
export class PortInUseError extends Error {
  override name = 'BusyPort';
}

/**
 * Binds a port: asking whether one is free and binding it later would leave time for another program in between.
 * @param wanted 0: any free one
 * @param o.move when it is busy, the next free one above it is as good; otherwise that is an error
 * @param o.avoid the port another process of ours is about to bind; not taken unless any free one is wanted
 * @param o.setting name of the setting that says `wanted`, for the error
 * @param bind binds one and answers which it got; called again after it failed
 * @returns the port that is bound now
 * @throws BusyPort when it may not move; whatever else `bind` throws
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
