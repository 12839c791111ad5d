import { expect, test } from 'vitest';
import { nameParts } from './name-parts.ts';

test.each([
  ['Smith, John', 'John', 'Smith'],
  ['SMITH, JOHN', 'John', 'Smith'],
  ['Smith,John', 'John', 'Smith'],
  ['López García, Ana María', 'Ana', 'López García'],
  ['de la Cruz, María', 'María', 'de la Cruz'],
  ['Smith, John, Jr.', 'John', 'Smith'],
  ['McDonald, Dr. Ron', 'Ron', 'McDonald'],
  ['Dr. Ana López', 'Ana', 'López'],
  ['DR. ANA LÓPEZ', 'Ana', 'López'],
  ['Mr John Smith', 'John', 'Smith'],
  ['Prof. Dr. Hans Müller', 'Hans', 'Müller'],
  ['Mrs. Smith', 'Mrs. Smith', 'Smith'],
  ['Mr & Mrs Jones', 'Mr & Mrs Jones', 'Jones'],
  ['Dr. and Mrs. Ana López', 'Ana', 'López'],
  ['Ms. ANA', 'Ms. Ana', 'Ana'],
  ['ANA MARIA', 'Ana', 'Maria'],
  ['ANA', 'Ana', ''],
  ['ÉLISE DUPONT', 'Élise', 'Dupont'],
  ['O’BRIEN, MARY-ANNE', 'Mary-Anne', 'O’Brien'],
  ['RONALD MCDONALD', 'Ronald', 'McDonald'],
  ['JD SMITH', 'JD', 'Smith'],
  ['ИВАН ПЕТРОВ', 'Иван', 'Петров'],
  ['+1 201 555 1234', '', ''],
  ['ana@x.test', '', ''],
  ['J. Smith', 'J.', 'Smith'],
] as const)('%j is worth a look: %j %j', (name, first, last) => {
  expect(nameParts(name)).toEqual({ first, last, isOdd: true });
});
test.each([
  ['Ana', 'Ana', ''],
  ['Ana María López', 'Ana', 'María López'],
  ['Don Smith', 'Don', 'Smith'],
  ['Jean-Luc Picard', 'Jean-Luc', 'Picard'],
  ['Bob Smith, Jr.', 'Bob', 'Smith'],
  ['Acme, Inc.', 'Acme', 'Inc.'],
  ['Ana (mobile) López', 'Ana', 'López'],
  ['🎉 Lisa Ray 👩🏽‍⚕️', 'Lisa', 'Ray'],
  ['山田 太郎', '山田', '太郎'],
  ['$& {{email}}', '$&', '{{email}}'],
] as const)('%j stays as it is', (name, first, last) => {
  expect(nameParts(name)).toEqual({ first, last, isOdd: false });
});
