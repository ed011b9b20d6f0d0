-- context: operations

-- W3C trace context of the request, to which the trace of the operation's job links. Null while tracing was off, and for
-- the operations that were requested before.
alter table operations add column traceparent text;
