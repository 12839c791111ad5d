import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeTags, render, type MergeTag } from '#contract/campaign-rules';
import { fallbackOf, withFallback, withTagNames } from './merge-tags.ts';

const none = { first_name: '', last_name: '', phone: '', email: '' };
it('says at every place what stands there without a value', () => {
  expect(withFallback('Hi {{first_name}}, yes you {{ First_Name | friend }}!', 'first_name', 'there')).toBe('Hi {{first_name|there}}, yes you {{first_name|there}}!');
  expect(fallbackOf('Hi {{first_name}} and {{first_name|there}}', 'first_name')).toBe('there');
  expect(withFallback('Hi {{first_name|there}}', 'first_name', '')).toBe('Hi {{first_name}}');
});
it('whatever is typed is what a person without the value reads, and it can be read back', () => {
  fc.assert(fc.property(fc.constantFrom(...(Object.keys(mergeTags) as MergeTag[])), fc.string({ unit: 'grapheme', maxLength: 20 }), (tag, typed) => {
    const text = withFallback(`a {{${tag}}} b`, tag, typed);
    const meant = typed.replace(/[{}|]/g, '');
    expect(render(text, none)).toBe(`a ${meant.trim()} b`);
    expect(fallbackOf(text, tag).trim()).toBe(meant.trim());
  }));
});
it('names the tags where people only look at a message', () => {
  expect(withTagNames('Hi {{first_name|there}} {{ Last_Name }}, {{nope}}')).toBe('Hi [First name] [Last name], {{nope}}');
});
