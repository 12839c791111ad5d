-- Custom values stand in field_value; what was once meant for them never held a checked value.
alter table number drop column eav_values;
alter table call drop column eav_values;
alter table company drop column eav_values;
