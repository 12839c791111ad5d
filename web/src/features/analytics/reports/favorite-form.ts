import type { Answer, favorites } from '#contract';
import type { ReportAttachment, ReportFrequency } from '#contract/analytics/favorites/rules';
import type { ReportSchedule } from '#contract/analytics/favorites/schemas';

export type Favorite = Answer<typeof favorites.listFavoriteReports>['data'][number];

/** A schedule as it is chosen; `never`: the report isn’t emailed. */
export interface ScheduleChoice {
  frequency: ReportFrequency | 'never';
  hour: string;
  recipients: string[];
  attach: ReportAttachment;
}

/** What the form starts with. */
export const scheduleChoice = (schedule: ReportSchedule | null): ScheduleChoice => ({
  frequency: schedule?.frequency ?? 'never',
  hour: String(schedule?.hour ?? 8),
  recipients: schedule?.recipients ?? [],
  attach: schedule?.attach ?? 'none',
});
/** What is sent; null: it isn’t emailed. */
export const scheduleWanted = ({
  frequency,
  hour,
  recipients,
  attach,
}: ScheduleChoice): ReportSchedule | null =>
  frequency === 'never' ? null : { frequency, hour: Number(hour), recipients, attach };

/** The values of the form of a favorite. */
export interface FavoriteForm {
  name: string;
  shared: boolean;
  replaces: boolean;
  schedule: ScheduleChoice;
}
