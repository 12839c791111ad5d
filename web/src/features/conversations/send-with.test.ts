import { expect, it } from 'vitest';
import { sends } from './send-with.ts';

const key = (over: object = {}) => ({
  key: 'Enter',
  shiftKey: false,
  metaKey: false,
  ctrlKey: false,
  isComposing: false,
  ...over,
});
it('Enter sends when one chose so; with the modifier it always does', () => {
  expect(sends(key(), 'enter')).toBe(true);
  expect(sends(key(), 'mod')).toBe(false);
  expect(sends(key({ ctrlKey: true }), 'mod')).toBe(true);
  expect(sends(key({ metaKey: true }), 'enter')).toBe(true);
});
it('never in the middle of a line break or of a word being composed', () => {
  expect(sends(key({ shiftKey: true }), 'enter')).toBe(false);
  expect(sends(key({ isComposing: true }), 'enter')).toBe(false);
  expect(sends(key({ isComposing: true, ctrlKey: true }), 'mod')).toBe(false);
});
