"""Read the model of a tenant's vectors, and change it in the transaction that decides."""

from remem.core.vector_models.vector_model_store import find, lock, set_target, settle, stay, switch

__all__ = ["find", "lock", "set_target", "settle", "stay", "switch"]
