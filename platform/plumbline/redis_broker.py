"""Redis as the broker: kombu's transport, whose workers go on once a server that went away is back."""

from typing import Any

from kombu.transport import redis as kombu_redis
from kombu.transport import virtual


class QoS(kombu_redis.QoS):
    """Counts the messages in hand.

    kombu goes on counting one whose acknowledgement met a server that was away. As a worker takes no more than one at
    a time, it would neither take another nor notice that its connection is gone, for ever.
    """

    def ack(self, delivery_tag: Any) -> None:
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        except Exception:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise


class Channel(kombu_redis.Channel):
    QoS = QoS


class Transport(kombu_redis.Transport):
    Channel = Channel
