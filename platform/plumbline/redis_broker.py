"""Redis as the broker: kombu's transport with workers that continue after the server returns."""

from typing import Any

from kombu.transport import redis as kombu_redis
from kombu.transport import virtual


class QoS(kombu_redis.QoS):
    """A count of unacknowledged messages.

    kombu still counts a message whose acknowledgement failed because the server was down. A worker takes one message at
    a time, so it would never take another one nor notice its lost connection.
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
