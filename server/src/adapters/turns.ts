import type { LegId } from '../ports/voice.ts';

/**
 * Who gives a leg its document, one after the other in this process: webhooks being answered, and requests. So what one of
 * them decided by is what the carrier has when the next one looks.
 */
export type Turns = ReturnType<typeof openTurns>;
interface Turn {
  hurry(): void;
  over: Promise<void>;
}

export function openTurns() {
  const lines = new Map<LegId, Turn[]>();
  return {
    /** Take a place behind those who are there. `hurry`: somebody behind waits, so decide by what is known. */
    take(leg: LegId, hurry: () => void = () => {}) {
      const line = lines.get(leg) ?? [];
      lines.set(leg, line);
      const ahead = [...line];
      let end!: () => void;
      const turn: Turn = {
        hurry,
        over: new Promise((resolve) => {
          end = resolve;
        }),
      };
      line.push(turn);
      return {
        hurry(): void {
          for (const one of ahead) one.hurry();
        },
        /** Resolves when those ahead are done, or after `ms`: one whose carrier hangs must not hold up a hang-up for ever. */
        async comes(ms: number): Promise<void> {
          let timer: NodeJS.Timeout | undefined;
          await Promise.race([
            Promise.all(ahead.map((one) => one.over)),
            new Promise((resolve) => {
              timer = setTimeout(resolve, ms);
            }),
          ]);
          clearTimeout(timer);
        },
        /** Once or more often. */
        end(): void {
          end();
          if (line.includes(turn)) line.splice(line.indexOf(turn), 1);
          if (!line.length && lines.get(leg) === line) lines.delete(leg);
        },
      };
    },
  };
}
