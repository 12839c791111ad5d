import type { MantineColorsTuple } from '@mantine/core';

export const slate: MantineColorsTuple = [
  '#f8fafc',
  '#f1f5f9',
  '#e2e8f0',
  '#cbd5e1',
  '#94a3b8',
  '#64748b',
  '#475569',
  '#334155',
  '#1e293b',
  '#0f172a',
];
/**
 * Dark surfaces, lightest first as Mantine expects: 0 text, 2 dimmed, 4 border, 6 field, 7 page, 8
 * rail.
 */
export const night: MantineColorsTuple = [
  '#dbe1e8',
  '#b9c3ce',
  '#97a4b3',
  '#6b7785',
  '#38424d',
  '#2a323b',
  '#1e252c',
  '#161b21',
  '#11151a',
  '#0b0e12',
];
/** Deep teal. Shade 6 on white 5.5 : 1, shade 3 on the dark page 9 : 1. */
export const accent: MantineColorsTuple = [
  '#eef9f7',
  '#d6f1ec',
  '#abe2d9',
  '#76cdc1',
  '#42b1a4',
  '#228f84',
  '#0f766e',
  '#0b625b',
  '#0a4f4a',
  '#083f3c',
];
export const red: MantineColorsTuple = [
  '#fef2f2',
  '#fee2e2',
  '#fecaca',
  '#fca5a5',
  '#f87171',
  '#e5484d',
  '#c62a2f',
  '#b01e23',
  '#8f1a1e',
  '#701518',
];
export const green: MantineColorsTuple = [
  '#f0fdf4',
  '#dcfce7',
  '#bbf7d0',
  '#86e5a8',
  '#4cc97c',
  '#1f9d55',
  '#15803d',
  '#166534',
  '#14532d',
  '#0f3d22',
];
export const yellow: MantineColorsTuple = [
  '#fffbeb',
  '#fef3c7',
  '#fde68a',
  '#fbd34d',
  '#f0b429',
  '#d98a06',
  '#a85a08',
  '#8a4a0b',
  '#713d0f',
  '#5a310d',
];
export const blue: MantineColorsTuple = [
  '#eff6ff',
  '#dceafe',
  '#bfdbfe',
  '#93c2fb',
  '#60a1f5',
  '#3b7fe0',
  '#1f5fc4',
  '#1c4fa3',
  '#1d4283',
  '#1a3566',
];
export const violet: MantineColorsTuple = [
  '#f5f3ff',
  '#ebe7fe',
  '#d9d1fd',
  '#bdaefa',
  '#9d86f3',
  '#7f5fe6',
  '#6741d0',
  '#5734b0',
  '#482c90',
  '#3a2574',
];

/** Colors of charts and avatars: Okabe–Ito, distinguishable with every kind of color vision. */
export const chartColors = [
  '#0f766e',
  '#d55e00',
  '#0072b2',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#7a7a7a',
  '#a9a200',
] as const;
