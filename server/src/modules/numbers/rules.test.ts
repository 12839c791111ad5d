import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf, nextRenewal, returnsAt, resolveSettings } from './rules.ts';

const plain = {
  category: 2,
  record: false,
  recording_announcement: 'default',
  recording_announcement_text: null,
  call_transcription_enabled: false,
  ai_eav_enabled: false,
  sms_enabled: true,
  mms_enabled: true,
};

describe('number rules', () => {
  it('renewal is the next monthly anniversary, or a short month’s last day', () => {
    const moment = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2030-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [bought, now] = a < b ? [a, b] : [b, a];
        const next = nextRenewal(bought, now);
        expect(next.getTime()).toBeGreaterThan(now.getTime());
        expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(31 * 86_400_000);
        expect(next.getUTCDate()).toBeLessThanOrEqual(bought.getUTCDate());
      }),
    );
    expect(
      nextRenewal(new Date('2026-01-31T10:00:00Z'), new Date('2026-02-01T00:00:00Z')).toISOString(),
    ).toBe('2026-02-28T10:00:00.000Z');
  });
  it('a released number returns after 72 hours', () => {
    expect(returnsAt(new Date('2026-11-21T09:00:00Z')).toISOString()).toBe(
      '2026-11-24T09:00:00.000Z',
    );
  });
  it('category 3 is fax, and numbers outside the US and Canada are international', () => {
    expect([kindOf(1, 'US'), kindOf(2, 'CA'), kindOf(3, 'US'), kindOf(2, 'GB')]).toEqual([
      1, 1, 3, 2,
    ]);
  });
  it('AI fields turn on recording and transcription and require them', () => {
    expect(resolveSettings(plain, { ai_eav_enabled: true })).toMatchObject({
      settings: { record: true, call_transcription_enabled: true },
    });
    const on = { ...plain, ai_eav_enabled: true, record: true, call_transcription_enabled: true };
    expect(resolveSettings(on, { record: false })).toMatchObject({
      errors: { record: expect.any(String) },
    });
    expect(resolveSettings(on, { record: false, ai_eav_enabled: false })).toMatchObject({
      settings: { record: false },
    });
  });
  it('custom announcements require text, pictures require texts, and fax numbers allow neither', () => {
    expect(resolveSettings(plain, { recording_announcement: 'custom' })).toHaveProperty(
      'errors.recording_announcement_text',
    );
    expect(resolveSettings(plain, { sms_enabled: false })).toMatchObject({
      settings: { mms_enabled: false },
    });
    expect(
      resolveSettings({ ...plain, sms_enabled: false, mms_enabled: false }, { mms_enabled: true }),
    ).toHaveProperty('errors.mms_enabled');
    expect(
      resolveSettings(
        { ...plain, category: 3, sms_enabled: false, mms_enabled: false },
        { sms_enabled: true },
      ),
    ).toHaveProperty('errors.sms_enabled');
  });
});
