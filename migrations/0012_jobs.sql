-- context: platform
-- The table of effect's persisted queue, as its own migrations leave it: made here, so that the processes that start at
-- once find it, and so that it is part of the register.
create table jobs (
  sequence bigserial primary key,
  id varchar(255) not null,
  queue_name varchar(255) not null,
  element text not null,
  attempts integer not null default 0,
  last_failure text,
  acquired_at timestamp,
  acquired_by uuid,
  created_at timestamp not null,
  updated_at timestamp not null,
  -- pending, completed or failed, which is a dead letter.
  state varchar(10) not null,
  visible_at timestamp not null
);

create unique index idx_jobs_id on jobs (id, queue_name);
create index idx_jobs_update on jobs (sequence, acquired_by);
create index idx_jobs_take on jobs (queue_name, visible_at) where state = 'pending';
create index jobs_dead on jobs (queue_name, sequence) where state = 'failed';

create table jobs_migrations (
  migration_id integer primary key,
  created_at timestamp with time zone not null default now(),
  name varchar(255) not null
);

insert into jobs_migrations (migration_id, name) values (1, 'create_table'), (2, 'upgrade_schema');
