import { calls, live } from '#contract';
import { calendarDay, t, toast, useApiMutation, useApiQuery, userZone } from '#ui';
import { zonedInstant } from '#ui/zoned-instant.ts';
import { untilText } from './pause-text.ts';

/** Calls begin and end to ring with the clock, which sends no event. */
const refetchMs = 60_000;

/** The signed-in person's do not disturb, and why calls don't ring now; undefined while loading. */
export function useAvailability(enabled = true): calls.Availability | undefined {
  const { response } = useApiQuery(
    calls.getAvailability,
    {},
    { enabled, silent: true, refetchInterval: refetchMs },
  );
  return response?.data;
}

interface DoNotDisturbChoice {
  key: string;
  label: string;
  /** Null: until they turn it off. */
  until: () => Date | null;
}

const inMinutes = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);

/** How long do not disturb can be turned on for. */
export const doNotDisturbChoices = (): DoNotDisturbChoice[] => [
  { key: '30', label: t('For 30 minutes'), until: inMinutes(30) },
  { key: '60', label: t('For 1 hour'), until: inMinutes(60) },
  { key: '240', label: t('For 4 hours'), until: inMinutes(240) },
  { key: 'tomorrow', label: t('Until tomorrow 9:00 AM'), until: tomorrowMorning },
  { key: 'open', label: t('Until I turn it off'), until: () => null },
];

function tomorrowMorning(): Date | null {
  const zone = userZone();
  return zonedInstant(`${calendarDay(Date.now() + 86_400_000, zone)}T09:00`, zone);
}

/** Turns do not disturb on, until a time or (null) until it is turned off, or off. */
export function useDoNotDisturb() {
  const { mutate, isPending } = useApiMutation(calls.setDoNotDisturb, {
    invalidates: [calls.getAvailability, calls.listCallingUsers, live.callDestinations],
  });
  const turnOn = async (until: Date | null): Promise<void> => {
    const answer = await mutate({ body: { on: true, until: until?.toISOString() ?? null } });
    if (!answer) return;
    const end = answer.data.do_not_disturb_until;
    toast.success(
      end
        ? t('Do not disturb is on until {time}', { time: untilText(end) })
        : t('Do not disturb is on'),
    );
  };
  const turnOff = async (): Promise<void> => {
    if (await mutate({ body: { on: false } })) toast.success(t('Do not disturb is off'));
  };
  return { turnOn, turnOff, isPending };
}
