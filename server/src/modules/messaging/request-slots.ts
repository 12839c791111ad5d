/** A limit on requests to carriers that run at the same time in this process. */
export interface RequestSlots {
  /** Resolves when a slot is free, first come, first served. */
  acquire(): Promise<void>;
  release(): void;
}

/** `size` slots. Each acquired one must be released. */
export function createRequestSlots(size: number): RequestSlots {
  let free = size;
  const waiting: (() => void)[] = [];
  return {
    acquire: () => {
      if (free > 0) {
        free--;
        return Promise.resolve();
      }
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
    release: () => {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}
