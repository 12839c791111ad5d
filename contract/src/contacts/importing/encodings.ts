/** How the text of a file can be written, the usual first; `title`: its name on the screen. */
export const textEncodings = [
  { key: 'utf-8', title: 'Unicode (UTF-8)' },
  { key: 'windows-1252', title: 'Western (Windows-1252, Latin-1)' },
  { key: 'macintosh', title: 'Western (Mac Roman)' },
  { key: 'windows-1250', title: 'Central European (Windows-1250)' },
  { key: 'windows-1251', title: 'Cyrillic (Windows-1251)' },
  { key: 'koi8-r', title: 'Cyrillic (KOI8-R)' },
  { key: 'windows-1253', title: 'Greek (Windows-1253)' },
  { key: 'windows-1254', title: 'Turkish (Windows-1254)' },
  { key: 'windows-1255', title: 'Hebrew (Windows-1255)' },
  { key: 'windows-1256', title: 'Arabic (Windows-1256)' },
  { key: 'shift_jis', title: 'Japanese (Shift JIS)' },
  { key: 'euc-jp', title: 'Japanese (EUC-JP)' },
  { key: 'gb18030', title: 'Chinese, simplified (GB18030)' },
  { key: 'big5', title: 'Chinese, traditional (Big5)' },
  { key: 'euc-kr', title: 'Korean (EUC-KR)' },
  { key: 'utf-16le', title: 'Unicode (UTF-16)' },
  { key: 'utf-16be', title: 'Unicode (UTF-16, big-endian)' },
] as const;
export type TextEncoding = (typeof textEncodings)[number]['key'];
export const textEncodingKeys = textEncodings.map(({ key }) => key) as [
  TextEncoding,
  ...TextEncoding[],
];
