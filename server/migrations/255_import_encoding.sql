-- How the text of an imported file was read; null: a workbook, or a file from before this was noted.
alter table contact_import add column encoding text;
