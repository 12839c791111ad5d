import { z } from 'zod';
import { fieldValue, fieldValuesIn } from '../../fields/schemas.ts';
import { flag, id, instant } from '../../schemas.ts';
import { timelineTypes } from '../rules.ts';
import { numberPatch } from './number.ts';

const tagName = z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.');

/** Fields that can be changed on many numbers at once. */
export const bulkPatch = z
  .object({
    label: numberPatch.shape.label,
    tags: z.array(tagName).max(50),
    add_tags: z.array(tagName).max(50),
    remove_tags: z.array(tagName).max(50),
    record: flag,
    call_transcription_enabled: flag,
    recording_announcement: z.enum(['none', 'default']),
    recording_retention_days: numberPatch.shape.recording_retention_days,
    sms_enabled: flag,
    template_id: id,
    eavAttributeValues: fieldValuesIn,
  })
  .partial()
  .strict();

export type BulkPatch = z.infer<typeof bulkPatch>;

export const timelineEvent = z.object({
  id: z.number(),
  at: instant,
  type: z.enum(timelineTypes),
  actor: z.object({
    type: z.enum(['user', 'key', 'system', 'platform']),
    id: id.nullable(),
    name: z.string(),
  }),
  summary: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  eav_attribute_values: z.array(fieldValue),
});

export type TimelineEvent = z.infer<typeof timelineEvent>;
