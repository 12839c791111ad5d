import type { UseFormReturnType } from '@mantine/form';
import type { Trigger } from './trigger-labels.ts';

/** An ISO time as `datetime-local` inputs show it; empty for null. */
const toLocalTime = (at: string | null): string => {
  if (at === null) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
const fromLocalTime = (local: string): string | null =>
  local ? new Date(local).toISOString() : null;

/** Form values of a keyword. IDs are strings; times are local, as `datetime-local` inputs show them. */
export interface TriggerValues {
  keyword: string;
  match_mode: Trigger['match_mode'];
  reply_text: string;
  set_optin: boolean;
  marketing: boolean;
  cooldown_minutes: number | string;
  group_ids: string[];
  label_ids: string[];
  notify_user_ids: string[];
  notify_email: string[];
  start_at: string;
  end_at: string;
}
export type TriggerFormState = UseFormReturnType<TriggerValues>;
/** Form values of a keyword; null for a new one. */
export const toValues = (one: Trigger | null): TriggerValues => ({
  keyword: one?.keyword ?? '',
  match_mode: one?.match_mode ?? 'exact',
  reply_text: one?.reply_text ?? '',
  set_optin: one?.set_optin ?? false,
  marketing: one?.marketing ?? false,
  cooldown_minutes: one?.cooldown_minutes ?? 60,
  group_ids: one?.group_ids.map(String) ?? [],
  label_ids: one?.label_ids.map(String) ?? [],
  notify_user_ids: one?.notify_user_ids.map(String) ?? [],
  notify_email: one?.notify_email ?? [],
  start_at: toLocalTime(one?.start_at ?? null),
  end_at: toLocalTime(one?.end_at ?? null),
});

/** The keyword as the API accepts it. Without `trigger` it is created and active. */
export const toRequest = (values: TriggerValues, trigger: Trigger | null) => ({
  ...(trigger ? { id: trigger.id } : { active: true }),
  keyword: values.keyword.trim(),
  match_mode: values.match_mode,
  reply_text: values.reply_text.trim() || null,
  set_optin: values.set_optin,
  marketing: values.marketing,
  cooldown_minutes: Number(values.cooldown_minutes),
  group_ids: values.group_ids.map(Number),
  label_ids: values.label_ids.map(Number),
  notify_user_ids: values.notify_user_ids.map(Number),
  notify_email: values.notify_email,
  start_at: fromLocalTime(values.start_at),
  end_at: fromLocalTime(values.end_at),
});
