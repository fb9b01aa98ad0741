"""HTTP at the rim: who may call, what may come in, how a stream goes out."""
